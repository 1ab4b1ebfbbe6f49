/** Why a running turn is aborted; tells the runner what to do with what it has. */

/** A person said stop: the turn ends, what it said so far is kept. */
export class TurnStopped extends Error {
  constructor() {
    super('stopped by the user');
  }
}

/** A newer message takes its place. */
export class TurnInterrupted extends Error {
  constructor() {
    super('interrupted by a newer message');
  }
}

/** The gateway goes down: the turn is not over, the next start takes it up. Nothing more of it is recorded. */
export class TurnSuspended extends Error {
  constructor() {
    super('the gateway is stopping');
  }
}
