/** The function as a deployer writes it. */
export { handler } from '@freehold/authorizer/lambda'
