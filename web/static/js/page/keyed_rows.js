/**
 * A list that is updated while the reader works in it. The row of a known item is kept and updated,
 * so it does not lose what is open, typed or focused in it.
 */
export class KeyedRows {
  #list;
  #keyOf;
  #createRow;
  #rows = new Map(); // by key

  /** `createRow()` returns {element, show(item)}. */
  constructor(list, keyOf, createRow) {
    this.#list = list;
    this.#keyOf = keyOf;
    this.#createRow = createRow;
  }

  show(items) {
    const rows = new Map();
    for (const item of items) {
      const key = this.#keyOf(item);
      const row = this.#rows.get(key) ?? this.#createRow();
      row.show(item);
      rows.set(key, row);
    }
    for (const [key, row] of this.#rows) if (!rows.has(key)) row.element.remove();
    this.#rows = rows;
    this.#arrange([...rows.values()].map((row) => row.element));
  }

  // Moves only elements in the wrong place, because an element that is moved loses the focus.
  #arrange(elements) {
    let next = this.#list.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(element, next);
    }
  }
}
