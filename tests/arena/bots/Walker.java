// A hare that walks from field to field, in Java.
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

public class Walker {
    private final Map<String, Map<String, String>> hares = new HashMap<>();
    private final List<String> fields = new ArrayList<>();
    private String mine = "red";
    private String room = "";

    public static void main(String[] words) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            options.put(words[i].replace("-", "").substring(0, 1), words[i + 1]);
        }
        int port = Integer.parseInt(options.getOrDefault("p", "13050"));
        try (Socket socket = new Socket(options.getOrDefault("h", "localhost"), port)) {
            new Walker().play(socket, options.get("r"));
        }
    }

    private void play(Socket socket, String code) throws IOException {
        OutputStream out = socket.getOutputStream();
        say(out, "<protocol>" + (code == null
                ? "<join gameType=\"swc_2018_hase_und_igel\"/>"
                : "<joinPrepared reservationCode=\"" + code + "\"/>"));
        Scanner tags = new Scanner(socket.getInputStream(), "UTF-8").useDelimiter(">");
        Map<String, String> hare = null;
        while (tags.hasNext()) {
            String tag = tags.next();
            tag = tag.substring(tag.indexOf('<') + 1);
            if (tag.startsWith("room ")) {
                room = attribute(tag, "roomId");
            } else if (tag.contains("\"welcomeMessage\"")) {
                mine = attribute(tag, "color");
            } else if (tag.startsWith("state ")) {
                fields.clear();
            } else if (tag.startsWith("red ") || tag.startsWith("blue ")) {
                hare = new HashMap<>();
                for (String name : List.of("index", "carrots", "salads")) {
                    hare.put(name, attribute(tag, name));
                }
                hares.put(tag.substring(0, tag.indexOf(' ')), hare);
            } else if (tag.startsWith("lastNonSkipAction ")) {
                hare.put("last", attribute(tag, "class"));
            } else if (tag.startsWith("fields ")) {
                fields.add(attribute(tag, "type"));
            } else if (tag.contains("MoveRequest\"")) {
                say(out, "<room roomId=\"" + room + "\"><data class=\"move\">" + choose()
                        + "</data></room>");
            } else if (tag.startsWith("left ")) {
                break;
            }
        }
        say(out, "</protocol>");
    }

    private String choose() {
        Map<String, String> me = hares.get(mine);
        int here = Integer.parseInt(me.get("index"));
        int other = Integer.parseInt(hares.get(mine.equals("red") ? "blue" : "red").get("index"));
        String field = fields.get(here);
        if (field.equals("SALAD") && !me.get("salads").equals("0")
                && !"eatSalad".equals(me.get("last"))) {
            return "<eatSalad order=\"0\"/>";
        }
        int carrots = Integer.parseInt(me.get("carrots"));
        for (int n = 1; here + n < 64 && n * (n + 1) / 2 <= carrots; n++) {
            String ahead = fields.get(here + n);
            if (here + n != other && (ahead.equals("CARROT") || ahead.startsWith("POSITION"))) {
                return "<advance order=\"0\" distance=\"" + n + "\"/>";
            }
        }
        if (field.equals("CARROT")) {
            return "<exchangeCarrots order=\"0\" value=\"10\"/>";
        }
        int back = here == 0 ? -1 : fields.subList(0, here).lastIndexOf("HEDGEHOG");
        return back > 0 && back != other ? "<fallBack order=\"0\"/>" : "<skip order=\"0\"/>";
    }

    private static String attribute(String tag, String name) {
        String key = " " + name + "=\"";
        int begin = tag.indexOf(key);
        return begin < 0 ? "" : tag.substring(begin + key.length()).split("\"", 2)[0];
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes("UTF-8"));
        out.flush();
    }
}
