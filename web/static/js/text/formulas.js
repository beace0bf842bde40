/**
 * Formulas are drawn by KaTeX, which is loaded with the first of them. Until then, and where it
 * cannot be loaded, they are shown as they were written.
 */

const MAY_BE_FORMULA = /\$|\\[([]/;

let draw = null; // once KaTeX is loaded
let loading = null;

/** Draws the formulas that `renderBlock` has left as text: at once where KaTeX is loaded. */
export async function drawFormulas(root) {
  if (draw) draw(root);
  else if (root.querySelector('.math')) await drawLater(root);
}

/** Draws the formulas in an element that has nothing but a plain text. */
export async function drawFormulasInText(element) {
  if (!MAY_BE_FORMULA.test(element.textContent)) return;
  const { markFormulas } = await import('./formula_marks.js');
  markFormulas(element);
  await drawFormulas(element);
}

async function drawLater(root) {
  try {
    loading ??= load();
    await loading;
    draw(root);
  } catch {
    loading = null; // the next formula tries again
  }
}

async function load() {
  const { drawAll, prepareFormulas } = await import('./formula_drawing.js');
  await prepareFormulas();
  draw = drawAll;
}
