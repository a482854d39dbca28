/** What callers and files give, read and checked: attributes, JSON, text, tokens. */
export { type Given, readAttributes } from './read-attributes.ts'
export { readJson } from './read-json.ts'
export { utf8Text } from './read-text.ts'
export { base64urlBytes, isPlainText, readToken, type TokenParts } from './read-token.ts'
