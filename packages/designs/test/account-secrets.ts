export { hashOf, sealed } from '../src/account-management/flows/samples.ts'
