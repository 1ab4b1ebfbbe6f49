/** What to look for in the workspace. */
export interface SearchRequest {
  /** `content`: a regular expression over lines. `names`: a glob over file names. */
  readonly target: 'content' | 'names';
  readonly pattern: string;
  /** A folder or a file, relative to the workspace or absolute inside it. */
  readonly path: string;
  /** Only files whose names fit. */
  readonly glob?: string;
  /** Of `content`: the lines, or only in which files, or how many lines in which file. */
  readonly give: 'lines' | 'files' | 'counts';
  /** Lines shown before and after each found one. */
  readonly contextLines: number;
  /** Absent: capitals count if the pattern has one. */
  readonly isCaseSensitive?: boolean;
  /** Also hidden files, and those that ignore files (`.gitignore`) name. */
  readonly withIgnored: boolean;
  /** Results to pass over, and to give at most. */
  readonly offset: number;
  readonly limit: number;
}

/** `path` is relative to the workspace. */
export type Found =
  | {
      readonly kind: 'line' | 'context';
      readonly path: string;
      /** From 1. */
      readonly line: number;
      /** Cut if long. */
      readonly text: string;
      /** Where in its line it was found, in bytes from 1; only of a found line. */
      readonly column?: number;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'count'; readonly path: string; readonly count: number };

export interface SearchAnswer {
  /** Those of the window, by path, with their context. */
  readonly found: readonly Found[];
  /** Results there are (context does not count); as far as the search came. */
  readonly total: number;
  /** Why it did not come to its end; absent: it did. */
  readonly stoppedBy?: 'time' | 'size';
}

/**
 * Looks into the workspace: never outside, never into secrets, never through links. Rejects with a ToolError whose message
 * says what to change, or with the signal's reason.
 */
export interface WorkspaceSearch {
  search(request: SearchRequest, options: { readonly signal: AbortSignal }): Promise<SearchAnswer>;
}
