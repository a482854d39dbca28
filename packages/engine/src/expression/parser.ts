import { reservedWords } from './reserved-words.ts'
import { Tokens } from './tokens.ts'
import type { Comparator, ConditionNode, Operand, PathElement, PathNode, UpdateAction, ValueNode } from './tree.ts'

/** Functions, the number of their operands, and what they are for (Developer Guide, "Condition and filter expressions, operators, and functions in DynamoDB"). */
const functions: Readonly<Record<string, { readonly operands: number; readonly use: 'condition' | 'operand' | 'update' }>> = {
  attribute_exists: { operands: 1, use: 'condition' },
  attribute_not_exists: { operands: 1, use: 'condition' },
  attribute_type: { operands: 2, use: 'condition' },
  begins_with: { operands: 2, use: 'condition' },
  contains: { operands: 2, use: 'condition' },
  size: { operands: 1, use: 'operand' },
  if_not_exists: { operands: 2, use: 'update' },
  list_append: { operands: 2, use: 'update' },
}

const comparators: ReadonlySet<string> = new Set<Comparator>(['=', '<>', '<', '<=', '>', '>='])
const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const

/** "The maximum length of any expression string is 4 KB", and of operators in one (Developer Guide, "Quotas in Amazon DynamoDB"). */
const bytes_max = 4096
const operators_max = 300
const amongst_max = 100

/** What one expression means, and the names and values that it uses. */
export interface Parsed<T> {
  readonly tree: T
  readonly aliases: ReadonlySet<string>
  readonly values: ReadonlySet<string>
  readonly paths: readonly PathNode[]
}

/** A recursive descent through one expression. It finds every error that does not depend on what names and values stand for. */
export class Parser {
  readonly #tokens: Tokens
  readonly #isUpdate: boolean
  readonly #aliases = new Set<string>()
  readonly #values = new Set<string>()
  readonly #paths: PathNode[] = []
  #operators = 0

  private constructor(label: string, text: string) {
    this.#tokens = new Tokens(label, text)
    this.#isUpdate = label === 'UpdateExpression'
    const bytes = Buffer.byteLength(text)
    if (bytes > bytes_max) throw this.#tokens.invalid(`Expression size has exceeded the maximum allowed size; expression size: ${bytes}`)
  }

  static condition(label: string, text: string): Parsed<ConditionNode> {
    const parser = new Parser(label, text)
    return parser.#whole(parser.#or())
  }

  static update(text: string): Parsed<readonly UpdateAction[]> {
    const parser = new Parser('UpdateExpression', text)
    return parser.#whole(parser.#sections())
  }

  static projection(text: string): Parsed<readonly PathNode[]> {
    const parser = new Parser('ProjectionExpression', text)
    return parser.#whole(parser.#list(() => parser.#path()))
  }

  #whole<T>(tree: T): Parsed<T> {
    if (this.#tokens.peek().kind !== 'end') throw this.#tokens.unexpected()
    return { tree, aliases: this.#aliases, values: this.#values, paths: this.#paths }
  }

  #list<T>(one: () => T): T[] {
    const found = [one()]
    while (this.#tokens.takes(',')) found.push(one())
    return found
  }

  #counted<T>(node: T): T {
    this.#operators += 1
    if (this.#operators > operators_max) {
      throw this.#tokens.invalid(`The expression contains too many operators; operator count: ${this.#operators}`)
    }
    return node
  }

  #or(): ConditionNode {
    let left = this.#and()
    while (this.#tokens.takesWord('OR')) left = this.#joined('or', left, this.#and())
    return left
  }

  #and(): ConditionNode {
    let left = this.#not()
    while (this.#tokens.takesWord('AND')) left = this.#joined('and', left, this.#not())
    return left
  }

  #joined(kind: 'and' | 'or', left: ConditionNode, right: ConditionNode): ConditionNode {
    this.#isGroup = false
    return this.#counted({ kind, left, right })
  }

  #not(): ConditionNode {
    if (this.#tokens.isSymbol('(')) return this.#group()
    if (!this.#tokens.takesWord('NOT')) return this.#term()
    const inner = this.#not()
    this.#isGroup = false
    return this.#counted({ kind: 'not', inner })
  }

  /** True if what was parsed last is a pair of parentheses with nothing beside it. */
  #isGroup = false

  #group(): ConditionNode {
    this.#tokens.expect('(')
    const inner = this.#or()
    this.#tokens.expect(')')
    if (this.#isGroup) throw this.#tokens.invalid('The expression has redundant parentheses;')
    this.#isGroup = true
    return inner
  }

  #term(): ConditionNode {
    this.#isGroup = false
    const operand = this.#operand()
    const token = this.#tokens.peek()
    if (token.kind === 'symbol' && comparators.has(token.text)) {
      this.#tokens.next()
      const operator = token.text as Comparator // It is one of the comparators.
      return this.#counted({ kind: 'compare', operator, left: this.#asOperand(operand), right: this.#asOperand(this.#operand()) })
    }
    if (this.#tokens.takesWord('BETWEEN')) {
      const low = this.#asOperand(this.#operand())
      if (!this.#tokens.takesWord('AND')) throw this.#tokens.unexpected()
      return this.#counted({ kind: 'between', operand: this.#asOperand(operand), low, high: this.#asOperand(this.#operand()) })
    }
    if (this.#tokens.takesWord('IN')) {
      this.#tokens.expect('(')
      const among = this.#list(() => this.#asOperand(this.#operand()))
      this.#tokens.expect(')')
      if (among.length > amongst_max) throw this.#wrongNumber('IN', among.length + 1)
      return this.#counted({ kind: 'in', operand: this.#asOperand(operand), among })
    }
    if (operand.kind !== 'call') throw this.#tokens.unexpected()
    if (functions[operand.name]?.use !== 'condition') throw this.#notAllowed(operand.name)
    return this.#counted(operand)
  }

  /** A function that is a condition is no operand. */
  #asOperand(operand: Operand): Operand {
    if (operand.kind === 'call' && functions[operand.name]?.use === 'condition') throw this.#notAllowed(operand.name)
    return operand
  }

  #notAllowed(name: string): Error {
    return this.#tokens.invalid(`The function is not allowed to be used this way in an expression; function: ${name}`)
  }

  #wrongNumber(name: string, number: number): Error {
    return this.#tokens.invalid(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${number}`,
    )
  }

  #operand(): Operand {
    const token = this.#tokens.peek()
    if (token.kind === 'value') return this.#value()
    if (token.kind === 'word' && this.#tokens.isSymbol('(', 1)) return this.#call()
    return this.#path()
  }

  #value(): ValueNode {
    const token = this.#tokens.peek()
    if (token.kind !== 'value') throw this.#tokens.unexpected()
    this.#tokens.next()
    this.#values.add(token.text)
    return { kind: 'value', name: token.text }
  }

  #call(): Operand {
    const { text: name } = this.#tokens.next()
    this.#tokens.expect('(')
    const operands = this.#tokens.isSymbol(')') ? [] : this.#list(() => this.#operand())
    this.#tokens.expect(')')
    const known = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (known === undefined) throw this.#tokens.invalid(`Invalid function name; function: ${name}`)
    if ((known.use === 'update') !== this.#isUpdate) {
      throw this.#tokens.invalid(
        `The function is not allowed in ${this.#isUpdate ? 'an update' : 'a condition'} expression; function: ${name}`,
      )
    }
    if (operands.length !== known.operands) throw this.#wrongNumber(name, operands.length)
    const wantsPath = name !== 'list_append' && name !== 'size' && name !== 'begins_with' && name !== 'contains'
    if (wantsPath && operands[0]?.kind !== 'path') {
      throw this.#tokens.invalid(`Operator or function requires a document path; operator or function: ${name}`)
    }
    return { kind: 'call', name, operands }
  }

  #path(): PathNode {
    const elements: PathElement[] = [this.#name()]
    for (;;) {
      if (this.#tokens.takes('.')) elements.push(this.#name())
      else if (this.#tokens.takes('[')) {
        const token = this.#tokens.peek()
        if (token.kind !== 'index') throw this.#tokens.unexpected()
        this.#tokens.next()
        this.#tokens.expect(']')
        elements.push({ index: Number(token.text) })
      } else break
    }
    const path: PathNode = { kind: 'path', elements }
    this.#paths.push(path)
    return path
  }

  #name(): PathElement {
    const token = this.#tokens.peek()
    if (token.kind === 'alias') {
      this.#tokens.next()
      this.#aliases.add(token.text)
      return { alias: token.text }
    }
    if (token.kind !== 'word') throw this.#tokens.unexpected()
    if (keywords.has(token.text.toUpperCase())) throw this.#tokens.unexpected()
    this.#tokens.next()
    if (reservedWords.has(token.text.toUpperCase())) {
      throw this.#tokens.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token.text}`)
    }
    return { word: token.text }
  }

  #sections(): UpdateAction[] {
    const found = new Set<string>()
    const actions: UpdateAction[] = []
    do {
      const section = sections.find((name) => this.#tokens.isWord(name))
      if (section === undefined) throw this.#tokens.unexpected()
      if (found.has(section)) throw this.#tokens.invalid(`The "${section}" section can only be used once in an update expression;`)
      found.add(section)
      this.#tokens.next()
      actions.push(...this.#list(() => this.#counted(this.#action(section))))
    } while (this.#tokens.peek().kind !== 'end')
    return actions
  }

  #action(section: (typeof sections)[number]): UpdateAction {
    const path = this.#path()
    if (section === 'REMOVE') return { section, path }
    if (section === 'SET') {
      this.#tokens.expect('=')
      return { section, path, operand: this.#sum() }
    }
    return { section, path, operand: this.#value() }
  }

  #sum(): Operand {
    const left = this.#addend()
    const sign = this.#tokens.takes('+') ? 1 : this.#tokens.takes('-') ? -1 : undefined
    return sign === undefined ? left : this.#counted({ kind: 'sum', sign, left, right: this.#addend() })
  }

  #addend(): Operand {
    if (!this.#tokens.takes('(')) return this.#operand()
    const inner = this.#sum()
    this.#tokens.expect(')')
    return inner
  }
}

/** Words that have a meaning in an expression, so that one in an attribute's place is an error of syntax. */
const keywords: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE'])
