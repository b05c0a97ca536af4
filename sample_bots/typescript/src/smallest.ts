/** The smallest bot: it plays the first legal action. */
import { main } from "./index.js";

await main(() => ({ choose: ({ legal }) => legal[0] }));
