import { pino } from "pino";
import { app } from "./app.js";
import { config } from "./config.js";
import { startHoldSweeper } from "./jobs/hold-sweeper.js";

export const log = pino({ name: "tideline" });

startHoldSweeper();
app.listen(config.PORT, () => log.info({ port: config.PORT }, "listening"));
