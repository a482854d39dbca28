import type { DesignModule } from '@freehold/frame'
import { serviceDesign } from '@freehold/service'
import { moduleNamed } from './named.ts'
import type { Obeying } from './offered.ts'

/** The design with this name. `service` is the design of the table of API keys. Throws `UnknownName`. */
export function designNamed(shell: Obeying, name: string | undefined): Pick<DesignModule, 'design'> {
  return name === serviceDesign.name ? { design: serviceDesign } : moduleNamed(shell, name)
}
