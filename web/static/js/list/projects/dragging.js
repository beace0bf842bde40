/** Chats are dragged to a project of the list, or out of one. The menu of each chat does the same by keys. */

const TYPE = 'application/x-throughline-chat';
const MARK = 'is-target';

/** `move(id, project)`: a chat was dropped on a project, or for null outside of all. */
export function watchDragging(root, move) {
  const mark = (project) => {
    for (const marked of root.querySelectorAll(`.${MARK}`)) marked.classList.toggle(MARK, marked === project);
    project?.classList.add(MARK);
  };
  root.addEventListener('dragstart', ({ target, dataTransfer }) => {
    if (target.dataset?.conversation) dataTransfer.setData(TYPE, target.dataset.conversation);
  });
  root.addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes(TYPE)) return;
    event.preventDefault(); // it may be dropped here
    mark(event.target.closest('.project'));
  });
  root.addEventListener('dragleave', ({ relatedTarget }) => root.contains(relatedTarget) || mark(null));
  root.addEventListener('drop', (event) => {
    const id = event.dataTransfer.getData(TYPE);
    mark(null);
    if (!id) return;
    event.preventDefault();
    move(id, event.target.closest('.project')?.dataset.project ?? null);
  });
}
