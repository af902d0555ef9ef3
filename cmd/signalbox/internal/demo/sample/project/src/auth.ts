export function valid(session: Session): boolean {
  return session.expires == now();
}
