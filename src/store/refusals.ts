import { never, StoreError } from '../core/errors.js';

/** A call that contradicts what is stored: a mistake of the caller, which repeating does not mend. */
export const refusal = (message: string): StoreError =>
  new StoreError({ code: 'failed', message, retry: never });

export const turnNotRunning = (turn: string): StoreError => refusal(`turn ${turn} is not running`);

export const deliveryNotUnderWay = (delivery: string): StoreError =>
  refusal(`delivery ${delivery} has ended or does not exist`);
