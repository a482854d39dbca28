/** A design with its decisions and flows as one value, which command and service serve and a program opens. */
export { describeModule } from './module/describe-module.ts'
export {
  type Administration,
  type ApiName,
  administrationOf,
  apiNameOf,
  credentialsOf,
  type DecidingModule,
  type DesignModule,
  type FolderModule,
  type FromFolder,
  folderOf,
  type ModuleFolder,
  type OpenDesign,
  type OpenOptions,
  openerOf,
  openModule,
  type Words,
  wordsOf,
} from './module/design-module.ts'
export { type ExportedModule, exportedModule, moduleOf } from './module/exported-module.ts'
export { moduleCosts } from './module/module-costs.ts'
export { modulesWithout, type WithoutErrors } from './module/modules-without.ts'
export { type PeopleOutline, peopleOf } from './module/people-outline.ts'
export { type ModuleProof, proveInTurns, proveModule } from './module/prove-module.ts'
