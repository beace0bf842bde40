/** Input methods, by which several keys make one sign. */

const HANDLED_KEY_CODE = 229; // of a key that an input method handles, in browsers without isComposing

/** Whether a key is meant for an input method. */
export function isForInputMethod(event) {
  return event.isComposing || event.keyCode === HANDLED_KEY_CODE;
}
