import fc from "fast-check";
import { expect, test } from "vitest";
import { approachKey } from "../../commands/plan/decide-findings.ts";
import { isSpecialist } from "../../schemas/names.ts";

/** Few letters, so that names which look like keys come up often. */
const specialist = fc.stringMatching(/^[a1][a1_]{0,5}$/).filter(isSpecialist);
const approach = fc.record({ number: fc.integer({ min: 1, max: 11 }), variant: fc.constantFrom(null, "A", "B") });

test("two approaches never share a key, whatever their specialists are called", () => {
  fc.assert(
    fc.property(fc.tuple(specialist, approach), fc.tuple(specialist, approach), ([a, one], [b, other]) => {
      const same = a === b && one.number === other.number && one.variant === other.variant;
      expect(approachKey(a, one) === approachKey(b, other)).toBe(same);
    }),
    { numRuns: 5000 },
  );
});
