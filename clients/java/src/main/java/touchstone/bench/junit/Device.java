package touchstone.bench.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The profile and the settings of a device that a test takes: {@code @Device("iphone-face-id") Phone phone}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Device {
    /** A profile's name; {@code touchstone profiles list} lists them. */
    String value();

    /** The device's name; default: the profile's, with a number where it is taken. */
    String name() default "";

    /** The user's behaviour without planned acts. */
    User user() default User.AGREES;

    /** The device's clock. */
    Clock clock() default Clock.SIMULATED;

    /** The seed of the device's randomness; 0 leaves it to the server. */
    long seed() default 0;

    /** Whether a test fails if acts that it planned had no effect. */
    boolean checksActs() default true;

    /** The user's behaviour without planned acts. */
    enum User {
        /** The user agrees at once. */
        AGREES,
        /** The prompt waits for an act. */
        WAITS
    }

    /** The clock of a device. */
    enum Clock {
        /** Time passes only when the test lets it pass: a lockout of thirty seconds takes no time. */
        SIMULATED,
        /** The computer's clock. */
        REAL
    }
}
