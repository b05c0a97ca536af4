import { create } from "@bufbuild/protobuf";

import {
  ActionSchema,
  type Action as ActionMessage,
  type LegalActions,
} from "../gen/kitumaija/v1/game_pb.js";
import { type Card, cardMessage, cardsOf } from "./cards.js";

/** One action of a player. */
export type Action =
  | { readonly kind: "play"; readonly card: Card }
  | { readonly kind: "turn" }
  | { readonly kind: "take"; readonly cards: number }
  | { readonly kind: "pass" };

/** An action as text: `8H`, `turn`, `take 3` or `pass`. */
export function actionText(action: Action): string {
  switch (action.kind) {
    case "play":
      return action.card;
    case "take":
      return `take ${action.cards}`;
    case "turn":
    case "pass":
      return action.kind;
  }
}

/** Lists what is legal in the rules' order: cards, turn, take the smaller amount first, pass. */
export function legalActions(legal: LegalActions | undefined): Action[] {
  if (legal === undefined) return [];
  const actions: Action[] = cardsOf(legal.play).map((card) => ({ kind: "play", card }));
  if (legal.turn) actions.push({ kind: "turn" });
  for (const cards of legal.take) actions.push({ kind: "take", cards });
  if (legal.passLead) actions.push({ kind: "pass" });
  return actions;
}

export function actionMessage(action: Action): ActionMessage {
  switch (action.kind) {
    case "play":
      return create(ActionSchema, { action: { case: "play", value: cardMessage(action.card) } });
    case "turn":
      return create(ActionSchema, { action: { case: "turn", value: {} } });
    case "take":
      return create(ActionSchema, { action: { case: "take", value: action.cards } });
    case "pass":
      return create(ActionSchema, { action: { case: "passLead", value: {} } });
  }
}
