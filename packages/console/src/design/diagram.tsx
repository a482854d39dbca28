import '@xyflow/react/dist/style.css'
import { graphlib, layout } from '@dagrejs/dagre'
import { useComputedColorScheme } from '@mantine/core'
import { Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import type { ToldDesign, ToldEntity } from '../app/told.ts'

type EntityNode = Node<{ readonly name: string; readonly told: ToldEntity; readonly beside: readonly string[] }, 'entity'>
const width = 240
const heightOf = (beside: readonly string[]) => (beside.length === 0 ? 62 : 78)

function EntityBox({ data: { name, told, beside } }: NodeProps<EntityNode>) {
  return (
    <div className={`entity entity-${told.kind}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <strong>{name}</strong>
      <code>{told.key[0]}</code>
      <code>{told.key[1]}</code>
      {beside.length > 0 && <small title={beside.join(', ')}>with {beside.join(', ')}</small>}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  )
}
const nodeTypes = { entity: EntityBox }

/**
 * What refers to what. Each edge is one box, though it has two items; guards and lookup items stand in the box of what they lead to: they say no more, and
 * would hide the rest.
 */
function drawn({ form }: ToldDesign): { nodes: EntityNode[]; edges: Edge[] } {
  const isOtherSide = (name: string, sides: readonly string[] = []) =>
    sides.includes(name) && name !== sides.find((each) => form.entities[each] !== undefined)
  const all = Object.entries(form.entities).filter(([name, { owner, sides }]) => owner === undefined && !isOtherSide(name, sides))
  const names = new Set(all.map(([name]) => name))
  const boxOf = (name: string) => form.entities[name]?.owner ?? name
  const beside = (name: string) => Object.entries(form.entities).flatMap(([each, { owner }]) => (owner === name ? [each] : []))
  const edges = all.flatMap(([name, { references = [], ends = [] }]): Edge[] =>
    [...references, ...ends].flatMap(({ to, attribute }) =>
      names.has(boxOf(to))
        ? [{ id: `${name} ${to} ${attribute}`, source: boxOf(to), target: name, ...(ends.length > 0 ? {} : { label: attribute }) }]
        : [],
    ),
  )
  const graph = new graphlib.Graph().setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 56 }).setDefaultEdgeLabel(() => ({}))
  for (const [name] of all) graph.setNode(name, { width, height: heightOf(beside(name)) })
  for (const { source, target } of edges) graph.setEdge(source, target)
  layout(graph)
  const nodes = all.map(([name, told]): EntityNode => {
    const { x = 0, y = 0 } = graph.node(name)
    const height = heightOf(beside(name))
    const position = { x: x - width / 2, y: y - height / 2 }
    return { id: name, type: 'entity', position, data: { name, told, beside: beside(name) }, width, height }
  })
  return { nodes, edges }
}

/** The entities, their keys, and what refers to what. */
export function Diagram({ design, open }: { readonly design: ToldDesign; readonly open: (entity: string) => void }) {
  const { nodes, edges } = useMemo(() => drawn(design), [design])
  const colorMode = useComputedColorScheme('light')
  return (
    <div className="diagram">
      <ReactFlow
        {...{ nodes, edges, nodeTypes, colorMode }}
        fitView
        fitViewOptions={{ maxZoom: 1, minZoom: 0.45, padding: 0.02 }}
        minZoom={0.15}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        onNodeClick={(_, node) => open(node.id)}
        aria-label="Entities and what refers to what"
      >
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}
