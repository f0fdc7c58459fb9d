import { type EmployeeFields, fieldNames, mapFields } from '../../contract/employees.ts'

function person(name: string, account: string, password: string): EmployeeFields {
  const values = [name, `${account}@example.com`, password]
  return mapFields((field) => values[fieldNames.indexOf(field)] ?? '')
}

/** Made-up people, some with weak and reused passwords, which the page points out. In three parts, the oldest first. */
export const people: readonly EmployeeFields[][] = [
  [
    person('Amara Okafor', 'amara.okafor', 'Lagoon-Kite-Ember-41'),
    person('Ben Lindqvist', 'ben.lindqvist', 'password1'),
    person('Chiara Romano', 'chiara.romano', 'tR7!mQz2#vLp'),
    person('Daniel Osei', 'daniel.osei', 'Welcome2024'),
    person('Elif Yılmaz', 'elif.yilmaz', 'harbour walnut quiet 7'),
    person('Farid Haddad', 'farid.haddad', 'Welcome2024'),
    person('Grace Mbeki', 'grace.mbeki', 'gK9$wN4x@rT1'),
  ],
  [
    person('Hana Sato', 'hana.sato', 'mossy-lantern-orbit-19'),
    person('Ivan Petrov', 'ivan.petrov', 'qwerty12345'),
    person('Júlia Santos', 'julia.santos', 'Vb3&yHs8!qZk'),
    person('Kofi Boateng', 'kofi.boateng', 'Welcome2024'),
    person('Leila Farouk', 'leila.farouk', 'copper saddle river 52'),
    person('Mateo García', 'mateo.garcia', 'X6#fJd0%uWpe'),
    person('Nina Kowalska', 'nina.kowalska', 'nina1990'),
  ],
  [
    person('Oscar Dubois', 'oscar.dubois', 'thistle-anchor-plume-8'),
    person('Priya Nair', 'priya.nair', 'zR2*eLm7+cVy'),
    person('Quentin Moreau', 'quentin.moreau', 'letmein'),
    person('Rosa Jiménez', 'rosa.jimenez', 'velvet-tundra-spoon-63'),
    person('Sven Halvorsen', 'sven.halvorsen', 'P8@kGt5!nXbw'),
    person('Tomás Silva', 'tomas.silva', 'copper saddle river 52'),
  ],
]

/** Whom the colleague adds, one after the other. */
export const newcomers: readonly EmployeeFields[] = [
  person('Uma Reddy', 'uma.reddy', 'quartz-meadow-pilot-27'),
  person('Viktor Novák', 'viktor.novak', 'm4!ZbQ9&tHsx'),
  person('Wei Chen', 'wei.chen', 'summer-violin-raft-74'),
  person('Ximena Torres', 'ximena.torres', 'L1$pVr6#kDyf'),
  person('Yusuf Demir', 'yusuf.demir', 'Welcome2024'),
  person('Zoë Martin', 'zoe.martin', 'granite-otter-chime-35'),
]
