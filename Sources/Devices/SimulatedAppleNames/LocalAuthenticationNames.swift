@_exported public import SimulatedPhone

#if canImport(LocalAuthentication)
public import LocalAuthentication

/// The policy, of Apple's framework.
public typealias LAPolicy = LocalAuthentication.LAPolicy
/// The error, of Apple's framework.
public typealias LAError = LocalAuthentication.LAError
/// The kind of a sensor, of Apple's framework.
public typealias LABiometryType = LocalAuthentication.LABiometryType
/// The kind of a credential, of Apple's framework.
public typealias LACredentialType = LocalAuthentication.LACredentialType
/// The operation for which an access control is evaluated, of Apple's framework.
public typealias LAAccessControlOperation = LocalAuthentication.LAAccessControlOperation
#endif

/// `SimulatedLAContext` by Apple's name.
public typealias LAContext = SimulatedLAContext
/// `SimulatedLADomainState` by Apple's name.
public typealias LADomainState = SimulatedLADomainState
/// `SimulatedLADomainStateBiometry` by Apple's name.
public typealias LADomainStateBiometry = SimulatedLADomainStateBiometry
/// `SimulatedLARight` by Apple's name.
public typealias LARight = SimulatedLARight
/// `SimulatedLAAuthenticationRequirement` by Apple's name.
public typealias LAAuthenticationRequirement = SimulatedLAAuthenticationRequirement
/// `SimulatedLABiometryFallbackRequirement` by Apple's name.
public typealias LABiometryFallbackRequirement = SimulatedLABiometryFallbackRequirement
