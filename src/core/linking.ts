/** Linking a platform to an account by a code that a person's own device reads, where no token does. */

export interface LinkRequest {
  /** Digits of the account's number: the code is then one to be typed. */
  readonly phone?: string;
  /** Although an account is linked already. */
  readonly isAgain: boolean;
}

export interface LinkState {
  readonly state: 'idle' | 'waiting' | 'linked' | 'failed';
  /** The text of a QR code that is to be scanned now; another takes its place after a while. */
  readonly qr?: string;
  /** To be typed on the phone. */
  readonly code?: string;
  /** For people: what to do, or what became of it. */
  readonly message: string;
}

export interface LinkingFacet {
  /** Begins, or tells of what has begun already. What comes of it is asked by `state`. */
  begin(request: LinkRequest): LinkState;
  state(): LinkState;
}
