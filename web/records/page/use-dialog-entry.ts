import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

interface DialogEntryActions {
  /** Closes the dialog. Returns false if it has to stay open. */
  onBack(): boolean
  /** Opens the dialog again. */
  onForward(): void
}

/**
 * Gives a dialog an entry in the browser's history while it is open, at the same address: Back closes it, Forward opens it again.
 * The entry is removed when the dialog is closed in another way.
 */
export function useDialogEntry(dialog: string, isOpen: boolean, actions: DialogEntryActions): void {
  const { search, hash, state } = useLocation()
  const navigate = useNavigate()
  const isByUser = useNavigationType() === 'POP'
  const isCurrent = state?.dialog === dialog
  // It may be mounted with the dialog open.
  const before = useRef({ isOpen: false, isCurrent })
  /** This hook has added or removed the entry, but the address has not changed yet. */
  const isMoving = useRef(false)

  const follow = useEffectEvent(() => {
    if (isOpen === isCurrent) return
    isMoving.current = true
    void (isOpen ? navigate({ search, hash }, { state: { ...state, dialog } }) : navigate(-1))
  })

  const followDialog = useEffectEvent(() => {
    if (!isMoving.current) follow()
  })

  const followHistory = useEffectEvent(() => {
    if (isMoving.current) {
      isMoving.current = false
      // The dialog may have been closed or opened in the meantime.
      follow()
    } else if (isByUser && isCurrent && !isOpen) actions.onForward()
    else if (isByUser && !isCurrent && isOpen && !actions.onBack()) void navigate(1)
  })

  useEffect(() => {
    if (before.current.isOpen !== isOpen) followDialog()
    before.current.isOpen = isOpen
  }, [isOpen])

  useEffect(() => {
    if (before.current.isCurrent !== isCurrent) followHistory()
    before.current.isCurrent = isCurrent
  }, [isCurrent])
}
