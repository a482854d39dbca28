import { type VerifiedPermissionsEngine, verifiedPermissions } from '@freehold/service/verified-permissions'
import { isFreeholdError } from '@freehold/table'
import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'

/**
 * The engine of a policy store. Region, endpoint and credentials are those that AWS's own tools take.
 * @throws InvalidInput if there is no such store; Unavailable if it cannot be read
 */
export function storedEngine(policyStoreId: string): Promise<VerifiedPermissionsEngine> {
  return verifiedPermissions({ policyStoreId }).catch((cause: unknown) => {
    if (!isFreeholdError(cause, 'NotFound')) throw cause
    // As an answer it would be a no: a question exits with 1 for it.
    const message = `There is no policy store ${safeText(policyStoreId)} in this account and region: check the id and AWS_REGION.`
    throw invalid(message, cause)
  })
}
