import '@xyflow/react/dist/style.css'
import { graphlib, layout } from '@dagrejs/dagre'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Controls, type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import { plain, type ToldDesign, type ToldEntity } from '../app/told.ts'

type Direction = 'LR' | 'TB'
type EntityNode = Node<
  { readonly name: string; readonly told: ToldEntity; readonly beside: readonly string[]; readonly toward: Direction },
  'entity'
>
const width = 220
const gap = 16
/** Above the picture, for the buttons. */
const strip = 48
const heightOf = (beside: readonly string[]) => (beside.length === 0 ? 64 : 82)
/** Smaller than this no one can read a key: a larger picture is moved by hand instead. */
const zoom_min = 0.66

function EntityBox({ data: { name, told, beside, toward } }: NodeProps<EntityNode>) {
  return (
    <div className={`entity entity-${told.kind}`}>
      <Handle type="target" position={toward === 'LR' ? Position.Left : Position.Top} isConnectable={false} />
      <strong title={name}>{name}</strong>
      <code title={told.key[0]}>{told.key[0]}</code>
      <code title={told.key[1]}>{told.key[1]}</code>
      {beside.length > 0 && <small title={beside.join(', ')}>with {beside.join(', ')}</small>}
      <Handle type="source" position={toward === 'LR' ? Position.Right : Position.Bottom} isConnectable={false} />
    </div>
  )
}
const nodeTypes = { entity: EntityBox }

/**
 * What refers to what. Each edge is one box, though it has two items; guards and lookup items stand in the box of what they lead to: they say no more, and
 * would hide the rest. An attribute is named where its name is not that of what it leads to.
 */
function drawn({ form }: ToldDesign, toward: Direction, only: readonly string[] | undefined) {
  const isOtherSide = (name: string, sides: readonly string[] = []) =>
    sides.includes(name) && name !== sides.find((each) => form.entities[each] !== undefined)
  const boxOf = (name: string) => {
    const { owner, sides = [] } = form.entities[name] ?? {}
    return owner ?? sides.find((each) => form.entities[each] !== undefined) ?? name
  }
  const boxes = only?.map(boxOf)
  const all = Object.entries(form.entities).filter(
    ([name, { owner, sides }]) => owner === undefined && !isOtherSide(name, sides) && (boxes === undefined || boxes.includes(name)),
  )
  const names = new Set(all.map(([name]) => name))
  const beside = (name: string) => Object.entries(form.entities).flatMap(([each, { owner }]) => (owner === name ? [each] : []))
  const lines = new Map<string, Edge & { readonly named: Set<string> }>()
  for (const [name, { references = [], ends = [] }] of all)
    for (const { to, attribute } of [...references, ...ends]) {
      const source = boxOf(to)
      const id = `${source} ${name}`
      const line = lines.get(id) ?? { id, source, target: name, named: new Set<string>() }
      if (!plain(source).endsWith(plain(attribute).replace(/ids?$/, '')) && ends.length === 0) line.named.add(attribute)
      // What refers to its own kind says so by its attribute.
      if (names.has(source) && source !== name) lines.set(id, line)
    }
  const edges = [...lines.values()].map(({ named, ...line }): Edge => {
    const markerEnd = { type: MarkerType.Arrow, width: 18, height: 18 }
    return named.size === 0 ? { ...line, markerEnd } : { ...line, markerEnd, label: [...named].join(', ') }
  })
  const linked = new Set(edges.flatMap(({ source, target }) => [source, target]))
  const graph = new graphlib.Graph().setGraph({ rankdir: toward, nodesep: gap, ranksep: 52 }).setDefaultEdgeLabel(() => ({}))
  for (const name of linked) graph.setNode(name, { width, height: heightOf(beside(name)) })
  for (const { source, target } of edges) graph.setEdge(source, target)
  layout(graph)
  const { width: wide = width, height: high = 0 } = linked.size === 0 ? {} : graph.graph()
  // What is linked to nothing stands in rows below: it would make the picture wider.
  const alone = all.map(([name]) => name).filter((name) => !linked.has(name))
  const inRow = Math.max(1, Math.floor((wide + gap) / (width + gap)))
  const rowHeight = heightOf(['']) + gap
  const positionOf = (name: string, height: number) => {
    const at = alone.indexOf(name)
    if (at >= 0) return { x: (at % inRow) * (width + gap), y: high + gap + Math.floor(at / inRow) * rowHeight }
    const { x = 0, y = 0 } = graph.node(name)
    return { x: x - width / 2, y: y - height / 2 }
  }
  const nodes = all.map(([name, told]): EntityNode => {
    const height = heightOf(beside(name))
    const data = { name, told, beside: beside(name), toward }
    return { id: name, type: 'entity', position: positionOf(name, height), data, width, height }
  })
  return { nodes, edges, wide, high: high + Math.ceil(alone.length / inRow) * rowHeight }
}

/** The entities, their keys, and what refers to what: as large as the page lets it be read. */
export function Diagram({
  design,
  only,
  label,
  open,
}: {
  readonly design: ToldDesign
  readonly only?: readonly string[]
  readonly label: string
  readonly open: (entity: string) => void
}) {
  const { ref, width: room } = useElementSize()
  const both = useMemo(() => (['LR', 'TB'] as const).map((toward) => drawn(design, toward, only)), [design, only])
  const [across, down] = both
  const picture = across !== undefined && down !== undefined && across.wide > room && down.wide < across.wide ? down : across
  const colorMode = useComputedColorScheme('light')
  const { nodes = [], edges = [], wide = 1, high = 1 } = picture ?? {}
  const zoom = Math.min(1, Math.max(zoom_min, (room - 24) / wide))
  const x = Math.max(12, (room - wide * zoom) / 2)
  return (
    <div className="diagram" ref={ref} style={{ height: Math.min(1400, Math.max(260, high * zoom + strip + 12)) }}>
      {room > 0 && (
        <ReactFlow
          key={room}
          {...{ nodes, edges, nodeTypes, colorMode }}
          defaultViewport={{ x, y: strip, zoom }}
          minZoom={0.15}
          preventScrolling={false}
          zoomOnScroll={false}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          onNodeClick={(_, node) => open(node.id)}
          aria-label={label}
        >
          <Controls showInteractive={false} orientation="horizontal" position="top-left" />
        </ReactFlow>
      )}
    </div>
  )
}
