// The profile of Saber, a line for each operation: the parts of its functions in per cent.
// SPDX-License-Identifier: Apache-2.0
import java.util.List;
import org.latkem.ParameterSet;
import org.latkem.study.Native;
import org.latkem.study.SaberProfile;

/** {@code Profile ROUNDS}. */
public final class Profile {
    private Profile() {}

    public static void main(String[] arguments) {
        Native.load();
        List<String> functions = SaberProfile.functions();
        for (SaberProfile profile : SaberProfile.measure(ParameterSet.SABER, Integer.parseInt(arguments[0]))) {
            StringBuilder line = new StringBuilder("parts");
            for (int i = 0; i < functions.size(); i++) {
                line.append(' ').append(functions.get(i)).append('=').append(Math.round(100 * profile.share(i)));
            }
            System.out.println(line);
        }
    }
}
