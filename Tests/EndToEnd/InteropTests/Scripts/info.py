"""Prints getInfo, by the names that Swift uses."""

from bench import Ctap2, connect, done

device = connect()
info = Ctap2(device).info
done(
    versions=info.versions,
    aaguid=str(info.aaguid),
    options=info.options,
    maxMsgSize=info.max_msg_size,
    pinUvAuthProtocols=info.pin_uv_protocols,
    maxCredentialCountInList=info.max_creds_in_list,
    maxCredentialIdLength=info.max_cred_id_length,
    transports=info.transports,
    algorithms=[entry["alg"] for entry in info.algorithms],
    minPINLength=info.min_pin_length,
    firmwareVersion=info.firmware_version,
    preferredPlatformUvAttempts=info.preferred_platform_uv_attempts,
    uvModality=info.uv_modality,
    remainingDiscoverableCredentials=info.remaining_disc_creds,
    attestationFormats=info.attestation_formats,
)
