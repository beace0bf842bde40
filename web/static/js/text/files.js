/** Names of files, with the place in them: “report.pdf, page 12”. */

import { t } from './texts.js';

/** For a hit or a passage of the API. A server of the version before names no place. */
export function nameFile({ name, place = null }) {
  return place ? t(`file.${place.kind}`, { name, place: place.name }) : name;
}
