import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './created-link.module.css'

/** A link as a QR code. Dark on white also in a dark theme, or cameras would not read it. */
export function QrCode({ link, label }: { link: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(link, { border: 3 })
    const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    return { size, path: squares.join('') }
  }, [link])
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
