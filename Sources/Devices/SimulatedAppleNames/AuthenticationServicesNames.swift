public import SimulatedPhone

#if canImport(AuthenticationServices)
public import AuthenticationServices

/// The error, of Apple's framework.
public typealias ASAuthorizationError = AuthenticationServices.ASAuthorizationError
/// The preference for user verification, of Apple's framework.
public typealias ASAuthorizationPublicKeyCredentialUserVerificationPreference =
    AuthenticationServices.ASAuthorizationPublicKeyCredentialUserVerificationPreference
/// The kind of attestation, of Apple's framework.
public typealias ASAuthorizationPublicKeyCredentialAttestationKind =
    AuthenticationServices.ASAuthorizationPublicKeyCredentialAttestationKind
/// The preference for a discoverable credential, of Apple's framework.
public typealias ASAuthorizationPublicKeyCredentialResidentKeyPreference =
    AuthenticationServices.ASAuthorizationPublicKeyCredentialResidentKeyPreference
/// The number of a COSE algorithm, of Apple's framework.
public typealias ASCOSEAlgorithmIdentifier = AuthenticationServices.ASCOSEAlgorithmIdentifier
/// The window over which a sheet appears, of Apple's framework.
public typealias ASPresentationAnchor = AuthenticationServices.ASPresentationAnchor
#endif

/// `SimulatedASAuthorization` by Apple's name.
public typealias ASAuthorization = SimulatedASAuthorization
/// `SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential` by Apple's name.
public typealias ASAuthorizationAccountCreationPlatformPublicKeyCredential =
    SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential
/// `SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest` by Apple's name.
public typealias ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest =
    SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest
/// `SimulatedASAuthorizationAccountCreationProvider` by Apple's name.
public typealias ASAuthorizationAccountCreationProvider = SimulatedASAuthorizationAccountCreationProvider
/// `SimulatedASAuthorizationController` by Apple's name.
public typealias ASAuthorizationController = SimulatedASAuthorizationController
/// `SimulatedASAuthorizationControllerDelegate` by Apple's name.
public typealias ASAuthorizationControllerDelegate = SimulatedASAuthorizationControllerDelegate
/// `SimulatedASAuthorizationControllerPresentationContextProviding` by Apple's name.
public typealias ASAuthorizationControllerPresentationContextProviding =
    SimulatedASAuthorizationControllerPresentationContextProviding
/// `SimulatedASAuthorizationCredential` by Apple's name.
public typealias ASAuthorizationCredential = SimulatedASAuthorizationCredential
/// `SimulatedASAuthorizationPasswordProvider` by Apple's name.
public typealias ASAuthorizationPasswordProvider = SimulatedASAuthorizationPasswordProvider
/// `SimulatedASAuthorizationPasswordRequest` by Apple's name.
public typealias ASAuthorizationPasswordRequest = SimulatedASAuthorizationPasswordRequest
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialAssertion =
    SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialAssertionRequest =
    SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialDescriptor =
    SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialProvider` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialProvider =
    SimulatedASAuthorizationPlatformPublicKeyCredentialProvider
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialRegistration =
    SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration
/// `SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest` by Apple's name.
public typealias ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest =
    SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
/// `SimulatedASAuthorizationProvider` by Apple's name.
public typealias ASAuthorizationProvider = SimulatedASAuthorizationProvider
/// `SimulatedASAuthorizationPublicKeyCredential` by Apple's name.
public typealias ASAuthorizationPublicKeyCredential = SimulatedASAuthorizationPublicKeyCredential
/// `SimulatedASAuthorizationPublicKeyCredentialAssertion` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialAssertion = SimulatedASAuthorizationPublicKeyCredentialAssertion
/// `SimulatedASAuthorizationPublicKeyCredentialAttachment` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialAttachment = SimulatedASAuthorizationPublicKeyCredentialAttachment
/// `SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionInput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput =
    SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionInput
/// `SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput =
    SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput
/// `SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput =
    SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput
/// `SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput =
    SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput
/// `SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialPRFAssertionInput =
    SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput
/// `SimulatedASAuthorizationPublicKeyCredentialPRFAssertionOutput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialPRFAssertionOutput =
    SimulatedASAuthorizationPublicKeyCredentialPRFAssertionOutput
/// `SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationInput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialPRFRegistrationInput =
    SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationInput
/// `SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationOutput` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialPRFRegistrationOutput =
    SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationOutput
/// `SimulatedASAuthorizationPublicKeyCredentialParameters` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialParameters = SimulatedASAuthorizationPublicKeyCredentialParameters
/// `SimulatedASAuthorizationPublicKeyCredentialRegistration` by Apple's name.
public typealias ASAuthorizationPublicKeyCredentialRegistration =
    SimulatedASAuthorizationPublicKeyCredentialRegistration
/// `SimulatedASAuthorizationRequest` by Apple's name.
public typealias ASAuthorizationRequest = SimulatedASAuthorizationRequest
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialAssertion =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialProvider =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialRegistration =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration
/// `SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest` by Apple's name.
public typealias ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest =
    SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest
/// `SimulatedASContactIdentifier` by Apple's name.
public typealias ASContactIdentifier = SimulatedASContactIdentifier
/// `SimulatedASContactIdentifierRequest` by Apple's name.
public typealias ASContactIdentifierRequest = SimulatedASContactIdentifierRequest
/// `SimulatedASCredentialDataManager` by Apple's name.
public typealias ASCredentialDataManager = SimulatedASCredentialDataManager
/// `SimulatedASCredentialUpdater` by Apple's name.
public typealias ASCredentialUpdater = SimulatedASCredentialUpdater
/// `SimulatedASPasswordCredential` by Apple's name.
public typealias ASPasswordCredential = SimulatedASPasswordCredential
