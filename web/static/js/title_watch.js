/** A title is made in the background: looks for it in growing steps, and then no more. */

const PAUSES_MS = [700, 1500, 3000, 6000];

/** `look()` resolves to whether there is nothing left to look for. */
export async function awaitTitle(look) {
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
    if (await look()) return;
  }
}
