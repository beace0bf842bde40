/**
 * A list that is shown again and again while a reader works in it. A row whose item is known is
 * kept and told what is new, so that what is open, typed or focused in it stays.
 */
export class KeyedRows {
  #list;
  #keyOf;
  #create;
  #rows = new Map();

  /** `create(item)` returns {element, show(item)}. */
  constructor(list, keyOf, create) {
    this.#list = list;
    this.#keyOf = keyOf;
    this.#create = create;
  }

  show(items) {
    const entries = items.map((item) => [this.#keyOf(item), item]);
    const rows = new Map(entries.map(([key, item]) => [key, this.#rows.get(key) ?? this.#create(item)]));
    for (const [key, row] of this.#rows) if (!rows.has(key)) row.element.remove();
    for (const [key, item] of entries) rows.get(key).show(item);
    this.#rows = rows;
    this.#place([...rows.values()].map((row) => row.element));
  }

  // Only what stands elsewhere is moved: a node that is moved loses the focus.
  #place(elements) {
    let next = this.#list.firstElementChild;
    for (const element of elements) {
      if (element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(element, next);
    }
  }
}
