/** The longest that changes wait for others that the server tells of right after them. */
const CHANGES_PAUSE_MS = 100;

/** Returns a function that calls `run()` in a moment, once for all calls until then. */
export function coalesce(run) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      run();
    }, CHANGES_PAUSE_MS);
  };
}
