// Entry of the settings: one part at a time, each with an address of its own.

import { backupSettings } from "./backup-settings.js";
import { deviceSettings } from "./device-settings.js";
import { by } from "./dom.js";
import "./shell.js";
import { statusBoard } from "./status-board.js";

const shown = { device: deviceSettings, backup: backupSettings, status: statusBoard };
shown[location.pathname.split("/").at(-1)]?.(by("settings-part"));
