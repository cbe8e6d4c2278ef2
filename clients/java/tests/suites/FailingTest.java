import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import touchstone.bench.Bench;
import touchstone.bench.Phone;
import touchstone.bench.SecurityKey;
import touchstone.bench.junit.Device;
import touchstone.bench.junit.TouchstoneExtension;

/** Tests that fail, each for its own reason. */
@ExtendWith(TouchstoneExtension.class)
class FailingTest {
    @Test
    void expectsNoLockout(@Device(value = "pixel-fingerprint", name = "phone") Phone phone) {
        phone.user().noMatch(5);
        phone.verify().assertDone();
    }

    @Test
    void plansWithoutEffect(@Device(value = "iphone-face-id", name = "phone") Phone phone) {
        phone.user().noMatch().cancel();
    }

    @Test
    void failsForAnotherReason(@Device(value = "iphone-face-id", name = "phone") Phone phone) {
        phone.user().cancel();
        throw new IllegalStateException("another reason");
    }

    @Test
    void isNotBlamed(@Device(value = "iphone-face-id", name = "phone") Phone phone) {
        phone.enrol("second face").assertDone();
    }

    @Test
    void namesNoDevice(Phone phone) {}

    @Test
    void takesAPhoneForAKey(@Device("iphone-face-id") SecurityKey key) {}

    @Test
    void namesAnUnknownProfile(@Device("iphone-face") Phone phone) {}

    @Test
    void annotatesABench(@Device("iphone-face-id") Bench bench) {}

    @Test
    void plansAnImpossibleAct(@Device("iphone-face-id") Phone phone) {
        phone.user().challengePhrase();
    }

    @Test
    void expectsARefusal(@Device("iphone-face-id") Phone phone) {
        phone.enrol("second face").assertRefused("lockedOut.timed");
    }

    @Nested
    class Afterwards {
        private Phone phone;

        @Test
        void leavesAPlanToAnotherMethod(@Device(value = "iphone-face-id", name = "phone") Phone phone) {
            this.phone = phone;
        }

        @AfterEach
        void plans() {
            phone.user().cancel();
        }
    }
}
