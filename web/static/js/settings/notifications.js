/** The setting for notifications. The browser is asked when it is switched on, and never otherwise. */

import { canNotify, setNotifications, wantsNotifications } from '../page/attention.js';
import { byId } from '../page/element.js';

export function prepareNotifications() {
  const box = byId('notify');
  box.addEventListener('change', async () => {
    const isWanted = box.checked;
    box.checked = await setNotifications(isWanted);
    byId('notify-denied').hidden = box.checked === isWanted;
  });
  return {
    refresh() {
      byId('notify-field').hidden = !canNotify();
      byId('notify-denied').hidden = true;
      box.checked = wantsNotifications();
    },
  };
}
