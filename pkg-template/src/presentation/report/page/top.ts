/** Everything above the table of rows: the verdict, the failures, and the figures. */

import type { ReportData } from "../data.js";
import { cards } from "./cards.js";
import { costs } from "./cost.js";
import { failures } from "./failures.js";
import { heading } from "./heading.js";
import { matrixSection } from "./matrix.js";
import type { RowsSection } from "./rows.js";
import { sideBySide } from "./side-by-side.js";
import { simulations } from "./simulations.js";
import { slices } from "./slices.js";
import { summary } from "./summary-results.js";

/** @param hasScores Whether scores, and everything that follows from them, are shown. */
export const topOf = (data: ReportData, { show }: RowsSection, hasScores = true): HTMLElement[] =>
  [
    heading(data, hasScores),
    ...(hasScores
      ? [
          matrixSection(data),
          simulations(data),
          failures(data, show),
          sideBySide(data),
          cards(data, show),
          slices(data),
          summary(data),
        ]
      : []),
    costs(data),
  ].filter((part) => part !== undefined);
