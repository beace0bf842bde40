/** The files under a message: images as small pictures that open, others as links. */

import { attachmentPath } from '../../../api/attachments.js';
import { el, icon } from '../../../page/element.js';
import { formatSize, t } from '../../../text/texts.js';

/** A list of the API's attachments. */
export function createFileList(files) {
  return el('ul', { class: 'files', 'aria-label': t('attach.files') }, ...files.map((file) => el('li', {}, createLink(file))));
}

export function iconOf(kind) {
  return kind === 'image' ? 'image' : 'file';
}

function createLink(file) {
  const { attachment_id: id, name, kind, bytes } = file;
  const href = attachmentPath(id);
  if (kind === 'image') return el('a', { class: 'thumbnail', href, target: '_blank', rel: 'noopener' }, createPicture(file));
  return el('a', { class: 'file', href, download: name }, icon('file'),
    el('span', { class: 'file-name', dir: 'auto' }, name), ' ', el('span', { class: 'file-note' }, formatSize(bytes)), ' ',
    el('span', { class: 'visually-hidden' }, t('attach.download')));
}

// Its size is known before it is loaded, so that nothing jumps.
function createPicture({ attachment_id: id, name, width, height }) {
  return el('img', { src: attachmentPath(id), alt: t('attach.open', { name }), width, height, loading: 'lazy', decoding: 'async' });
}
