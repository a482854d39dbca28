import type { Compared, Finding } from './finding.ts'

const rule = 'seats'

/** The counted seats of each licence are those that somebody has, and no more than there are: a claim and its count are one transaction. */
export function checkSeats({ after }: Pick<Compared, 'after'>): Finding[] {
  const taken = new Map<unknown, number>()
  for (const { Type, licenseId } of after.values()) if (Type === 'LicenseSeat') taken.set(licenseId, (taken.get(licenseId) ?? 0) + 1)
  return [...after].flatMap(([place, { Type, id, seats, seatsUsed }]): Finding[] => {
    if (Type !== 'License') return []
    const holders = taken.get(id) ?? 0
    if (seatsUsed === holders && holders <= Number(seats)) return []
    return [{ rule, place, message: `${place} counts ${seatsUsed} of ${seats} seats, and ${holders} are taken` }]
  })
}
