import Testing

/// A real reader stack: pcscd with vsmartcard's virtual reader, which holds the virtual authenticator.
///
/// The tests run one after the other: only one pcscd can run, because its socket has a fixed name.
@Suite(.serialized, .timeLimit(.minutes(30)))
enum Readers {}
