import type { House } from "../src/gate/house.ts";
import { settleQuestions } from "../src/questions/settle.ts";
import type { Context } from "./command.ts";
import { openHouse } from "./house.ts";

/** The house after what an interrupted command began is finished. */
export async function openSettledHouse(context: Context): Promise<House> {
  const house = await openHouse(context);
  await settleQuestions(house);
  return house;
}
