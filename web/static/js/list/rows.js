/** The loaded rows of the list: one for each chat, which leads to one of its branches. */

export class Rows {
  #byChat = new Map(); // the API's conversations; archived ones are known, and not shown
  #visited = new Map(); // by chat, the branch that the reader was in last, unless another was active since

  /** `rows` are the API's: of each chat the branch that was active last. */
  note(rows) {
    for (const row of rows) {
      const before = this.#byChat.get(row.chat_id)?.conversation_id ?? row.conversation_id;
      if (before !== row.conversation_id) this.#visited.delete(row.chat_id);
      this.#byChat.set(row.chat_id, row);
    }
  }

  noteVisit(chatId, id) {
    this.#visited.set(chatId, id);
  }

  /** The row of a chat, by its id or by that of the branch to which the row leads. */
  find(id) {
    return this.#byChat.get(id) ?? this.list().find(({ chat_id: chatId }) => this.branchOf(chatId) === id);
  }

  /** The id of the branch to which the chat's row leads. */
  branchOf(chatId) {
    return this.#visited.get(chatId) ?? this.#byChat.get(chatId)?.conversation_id ?? chatId;
  }

  list() {
    return [...this.#byChat.values()];
  }

  remove(chatId) {
    this.#byChat.delete(chatId);
  }

  /** What the newest page should have and has not was deleted, archived or moved elsewhere. */
  forgetGone({ conversations: rows, next_cursor: cursor }, project) {
    const ids = new Set(rows.map((row) => row.chat_id));
    const last = cursor ? rows.at(-1).updated_at : '';
    for (const [id, row] of this.#byChat) {
      const isMissing = row.project === project && !ids.has(id) && !row.archived;
      if (isMissing && row.updated_at > last) this.#byChat.delete(id);
    }
  }
}
