/** Runs once on the page that follows a sign-out, or the deletion of an account. */

import { releaseBrowser } from '../js/api/account.js';

releaseBrowser();
