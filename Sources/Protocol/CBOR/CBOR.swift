/// Concise Binary Object Representation as CTAP2 uses it (RFC 8949; CTAP 2.3 §8, "Message Encoding").
///
/// ``CBOR/Value`` is the tree, ``CBOR/decode(_:options:)`` reads bytes strictly and ``CBOR/encode(_:ordering:)``
/// writes the canonical form. Reading checks every rule of the CTAP2 canonical CBOR encoding form and reports the
/// violated rule and its offset; it never traps.
public enum CBOR {}
