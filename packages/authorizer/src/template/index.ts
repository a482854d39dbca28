/** Templates that deploy the function at AWS. */
export { authorizerCloudFormation, authorizerSam } from './cloud-formation.ts'
export { authorizerTerraform } from './terraform.ts'
