export * from './errors.ts'
export * from './language.ts'
