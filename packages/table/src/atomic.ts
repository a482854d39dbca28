/** Atomic changes, the conditions of writes and the filters of lists, and sets. */
export {
  above,
  add,
  addTo,
  and,
  append,
  attribute,
  below,
  contains,
  entry,
  exists,
  ifAbsent,
  isOneOf,
  not,
  or,
  removeFrom,
  subtract,
} from './design/comparison.ts'
export { numberSet, textSet } from './design/set-attributes.ts'
