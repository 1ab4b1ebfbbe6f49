/** The workspace as tools get at it: read, searched, changed, and what of it nobody may touch. */
import { homedir } from 'node:os';
import type { ProcessPort } from '../core/process.js';
import type { ToolServices } from '../core/tool.js';
import { createFileEdits } from './file-edits.js';
import { createFloor } from './floor/floor.js';
import { createWorkspaceFiles } from './workspace-files.js';
import type { WorkspaceRoots } from './workspace-places.js';
import { createWorkspaceSearch } from './workspace-search.js';

interface WorkspaceOptions {
  /** The usual one; a turn may work in another, which `places` knows. */
  readonly workspace: string;
  readonly places: WorkspaceRoots;
  readonly processes: ProcessPort;
  /** Where the gateway's own program lies. */
  readonly program: string;
  /** The gateway's. */
  readonly pid: number;
}

export const createWorkspace = ({
  workspace,
  places,
  processes,
  program,
  pid,
}: WorkspaceOptions): Pick<ToolServices, 'floor' | 'files' | 'edits' | 'search'> => {
  const floor = createFloor({
    home: places.home,
    workspace,
    program,
    userHome: homedir(),
    pid,
  });
  return {
    floor,
    files: createWorkspaceFiles(places),
    edits: createFileEdits({ ...places, floor }),
    search: createWorkspaceSearch({ ...places, processes }),
  };
};
