/** A record like all others, and of no one else. */
export const employeeAt = (i: number) => ({
  eName: `Employee number ${i}`,
  email: `employee.${i}@example.com`,
  password: `secret-${(i * 7919) % 100_003}-of-${i}`,
})
