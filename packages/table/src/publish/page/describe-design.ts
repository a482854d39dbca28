import { prove } from '../../analyse/prove.ts'
import { keyNames } from '../../design/compiled-pattern.ts'
import type { AnyDesign } from '../../design/design.ts'
import { storedIndex, storedName } from '../../design/names.ts'
import { additionSection, featureSection } from './addition-section.ts'
import { copySection } from './copy-section.ts'
import { entitySection } from './entity-section.ts'
import { heatSection } from './heat-section.ts'
import { code, link, listed, prose } from './markdown.ts'
import { nameSection } from './name-section.ts'
import { patternSection } from './pattern-section.ts'
import { picture } from './picture.ts'
import { placeSection } from './place-section.ts'
import { proofSection } from './proof-section.ts'
import { removalSection } from './removal-section.ts'
import { tenantSection } from './tenant-section.ts'

/** A count, and how many of these the source document does not have. */
function counted(reasons: readonly (string | undefined)[], one: string, many: string): string {
  const additions = reasons.filter((why) => why !== undefined).length
  return `${reasons.length} ${reasons.length === 1 ? one : many}${additions === 0 ? '' : `, ${additions} of them additions`}`
}

/** The facts of the table, in a few lines. */
function summary(design: AnyDesign): string {
  const { table, tags, form } = design
  const called = (attribute: string) => code(storedName(form.names, attribute))
  const tagged = Object.entries(tags).map(([name, value]) => code(`${name}=${value}`))
  return [
    `- Table ${code(table)}, unless it is deployed under another name; key ${listed(keyNames(undefined).map(called))}.`,
    `- ${form.indexes.length === 0 ? 'No index' : `Global secondary indexes: ${listed(form.indexes.map((index) => code(storedIndex(form.names, index))))}`}. ${form.expires ? `DynamoDB’s TTL is on ${called('ttl')}.` : 'Nothing expires.'}`,
    `- ${counted(
      [...form.entities.values()].map((entity) => entity.form.addition),
      'entity',
      'entities',
    )}; ${counted(
      [...form.patterns.values()].map(({ addition }) => addition),
      'access pattern',
      'access patterns',
    )}.`,
    ...(tagged.length === 0 ? [] : [`- Tags: ${tagged.join(', ')}.`]),
  ].join('\n')
}

/** Links to the sections that follow. */
function contents(blocks: readonly string[]): string {
  const headings = blocks.flatMap((block) => (block.startsWith('## ') ? [block.slice(3)] : []))
  return headings.map((heading) => link(heading, heading)).join(' · ')
}

const pictureLegend =
  'Each box is an entity. A line from one to many is a reference, with its attribute: solid if the item is removed with its target, dotted if it ' +
  'refuses or stays. A line from many to many is an edge, with the names of its items. Uniqueness guards and lookup items are left out.'

/**
 * A page of Markdown for the review of a design, as `freehold docs` prints it. The same design always gives the same page.
 * @param more blocks of Markdown for the end of the page, each section begun by its heading
 */
export function describeDesign(design: AnyDesign, more: readonly string[] = []): string {
  const proof = prove(design)
  const blocks = [
    '## Picture',
    pictureLegend,
    picture(design),
    ...entitySection(design),
    ...patternSection(design, proof),
    ...placeSection(design, proof),
    ...nameSection(design),
    ...heatSection(proof),
    ...removalSection(design),
    ...copySection(design),
    ...tenantSection(design),
    ...additionSection(design),
    ...featureSection(design),
    ...proofSection(proof),
    ...more,
  ]
  const head = [
    `# The design ${code(design.name)}`,
    `<!-- Written by \`freehold docs\` from the design: change that, not this page. -->`,
    design.description === undefined ? '' : prose(design.description),
    summary(design),
    contents(blocks),
  ]
  return `${[...head, ...blocks].filter((block) => block !== '').join('\n\n')}\n`
}
