import Testing

/// Clients that others wrote, against the virtual authenticator.
///
/// One after the other: they are programs and threads of their own, with deadlines of their own, and a machine that
/// runs them all at once would be measured rather than the authenticator.
@Suite(.serialized, .timeLimit(.minutes(2)))
enum Interop {}
