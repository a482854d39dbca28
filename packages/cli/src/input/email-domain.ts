import { matrixEmail } from '@freehold/frame/exchange'
import { safeText } from '../output/safe-text.ts'
import { invalid } from './invalid.ts'

/** Refuses a value of `--email-domain` that makes no address: each user of the file would be told to be wrong, or to be unknown. Throws `InvalidInput`. */
export function checkEmailDomain(domain: string): void {
  try {
    matrixEmail('someone', domain)
  } catch (cause) {
    const words = `--email-domain '${safeText(domain.slice(0, 60))}' is no domain: give what follows the @ of an address, such as example.org.`
    throw invalid(words, cause)
  }
}
