import Testing

/// Third-party clients with the virtual authenticator.
///
/// They run one after the other: they are separate programs and threads with real deadlines, which concurrent
/// load would exceed.
@Suite(.serialized, .timeLimit(.minutes(30)))
enum Interop {}
