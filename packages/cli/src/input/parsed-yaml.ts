import { parse, YAMLError } from 'yaml'
import { safeText } from '../output/safe-text.ts'
import { invalid } from './invalid.ts'

/** The sentence of the reader of YAML. A picture of the text follows it, whose lines no message has. */
const firstLine = (message: string) => message.replace(/:?\n[\s\S]*$/, '')

/** The value of a file of YAML. Throws `InvalidInput` with the name of the file. */
export function parsedYaml(name: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error
    throw invalid(`The file ${safeText(name)} is not YAML: ${safeText(firstLine(error.message))}.`, error)
  }
}
