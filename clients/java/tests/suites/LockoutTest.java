import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import touchstone.bench.Bench;
import touchstone.bench.CeremonyException;
import touchstone.bench.DeviceSettings;
import touchstone.bench.IdleActsException;
import touchstone.bench.Phone;
import touchstone.bench.RequestException;
import touchstone.bench.SecurityKey;
import touchstone.bench.TouchstoneException;
import touchstone.bench.acts.Enrol;
import touchstone.bench.acts.Passcode;
import touchstone.bench.acts.StoreSecret;
import touchstone.bench.acts.Unlock;
import touchstone.bench.junit.Device;
import touchstone.bench.junit.TouchstoneExtension;
import touchstone.bench.models.Credential;
import touchstone.bench.models.Outcome;

@ExtendWith(TouchstoneExtension.class)
class LockoutTest {
    private static final String ORIGIN = "https://example.org";
    private static final String REQUEST =
            "{\"rpId\": \"example.org\", \"challenge\": \"AAECAwQFBgcICQoLDA0ODw\", \"userVerification\": \"required\"}";
    private static final String CREATION = "{\"rp\": {\"name\": \"x\", \"id\": \"example.org\"}, \"challenge\": \"AAECAwQFBgcICQoLDA0ODw\","
            + "\"user\": {\"id\": \"AQID\", \"name\": \"ada\", \"displayName\": \"Ada\"},"
            + "\"pubKeyCredParams\": [{\"type\": \"public-key\", \"alg\": -7}], \"authenticatorSelection\": {\"residentKey\": \"required\"}}";
    private static Phone shared;
    private Phone fresh;

    @BeforeAll
    static void takesADevice(@Device(value = "iphone-face-id", name = "shared") Phone phone) {
        shared = phone;
    }

    @AfterAll
    static void hasItStill() {
        assertEquals("shared", shared.state().status().name());
    }

    @BeforeEach
    void takesAnother(@Device(value = "pixel-fingerprint", name = "fresh") Phone phone, Bench bench) {
        fresh = phone;
        assertEquals(1, bench.devices().stream().filter(device -> device.name().equals("fresh")).count());
    }

    @Test
    void fiveWrongFingersLockTheSensor(@Device("pixel-fingerprint") Phone phone) {
        phone.user().noMatch(5);
        Outcome refused = phone.verify();
        refused.assertRefused("lockedOut.timed");
        assertTrue(refused.faces().stream().anyMatch(face -> face.text().equals("BiometricPrompt 7 ERROR_LOCKOUT")));
        assertEquals("timed", phone.state().gate().lockout());
        phone.waitFor(Duration.ofSeconds(30));
        phone.user().match();
        phone.verify().assertDone();
        assertEquals("none", phone.state().gate().lockout());
    }

    @Test
    void aCancelledPromptSignsNoUserIn(@Device("iphone-face-id") Phone phone) {
        String made = phone.create(CREATION, ORIGIN);
        phone.user().noMatch(2).cancel();
        CeremonyException failure = assertThrows(CeremonyException.class, () -> phone.get(REQUEST, ORIGIN));
        assertEquals("NotAllowedError", failure.name());
        assertEquals("userCancelled", failure.reason());
        Credential credential = phone.credentials().get(0);
        assertTrue(made.contains(credential.credentialId()));
        assertTrue(phone.get(REQUEST, ORIGIN).contains(credential.credentialId()));
        phone.deleteCredential(credential.credentialId());
        assertEquals(0, phone.credentials().size());
    }

    @Test
    void actsHaveTypedArguments(@Device("iphone-face-id") Phone phone) {
        phone.perform(new StoreSecret("token").value("abc").access(StoreSecret.Access.CURRENT_SET)).assertDone();
        assertEquals("current-set", phone.secrets().get(0).access());
        phone.perform(new Enrol("second face").modality(Enrol.Modality.FACE)).assertDone();
        phone.readSecret("token").assertRefused("keyInvalidated");
        phone.lock().assertDone();
        phone.perform(new Unlock().passcode(Unlock.Passcode.WRONG));
        assertEquals("locked", phone.state().status().life().screen());
        phone.unlock().assertDone();
        phone.lockOut().assertDone();
        phone.passcode(Passcode.Change.REMOVE).assertDone();
        phone.airplaneMode(true).assertDone();
        assertEquals("offline", phone.state().status().life().network());
    }

    @Test
    void aSecurityKeyHasAPIN(@Device("solo-2") SecurityKey key) {
        key.setPIN("1234").assertDone();
        key.changePIN("1234", "123456").assertDone();
        assertTrue(key.state().status().isPINSet());
        key.fault("counter-stuck").assertDone();
        key.noFaults().assertDone();
        key.reset().assertDone();
    }

    @Test
    void aSnapshotBringsTheStateBack(@Device("iphone-face-id") Phone phone) {
        phone.takeSnapshot("before");
        phone.create(CREATION, ORIGIN);
        phone.restore("before");
        assertEquals(0, phone.credentials().size());
    }

    @Test
    void aBenchStartsMoreDevices(Bench bench) {
        assertTrue(bench.profiles().contains("solo-2"));
        Phone first = bench.startPhone("iphone-face-id", DeviceSettings.DEFAULT.named("first").asking().seeded(7));
        assertEquals("first", first.name());
        assertTrue(first.user().possibleActs().contains("match"));
        TouchstoneException wrong = assertThrows(TouchstoneException.class, () -> bench.startPhone("solo-2"));
        assertTrue(wrong.getMessage().startsWith("solo-2 is a security key."), wrong.getMessage());
        assertEquals("snapshot.notFound", refusal(() -> bench.startPhone("iphone-face-id", DeviceSettings.DEFAULT.named("other")).restore("x")));
        first.user().cancel();
        IdleActsException idle = assertThrows(IdleActsException.class, first::close);
        assertEquals(Map.of("first", 1).keySet(), idle.acts().keySet());
    }

    private static String refusal(Runnable work) {
        return assertThrows(RequestException.class, work::run).code();
    }

    @Test
    void aMeantPlanIsForgotten(@Device("iphone-face-id") Phone phone, @Device(value = "iphone-face-id", name = "unchecked", checksActs = false) Phone other) {
        phone.user().cancel();
        assertEquals(1, phone.user().state().planned().size());
        phone.user().forgetPlan();
        other.user().cancel();
        fresh.user().match();
        fresh.verify().assertDone();
    }
}
