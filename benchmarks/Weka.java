import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.BayesNet;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Trains and asks a classifier of Weka whenever a line on the input says so.
 *
 * <p>java -cp weka.jar Weka.java rows.arff 40000 weka.classifiers.bayes.AODE -F 30
 *
 * <p>The last attribute is the class. The first rows (40000) are for training,
 * the others are questions. "fit" and "predict" are answered with "done",
 * "probabilities" with a line for each question, "parents" with a line for
 * each attribute: the numbers of its parents.
 */
public class Weka {
  public static void main(String[] arguments) throws Exception {
    Instances rows;
    try (BufferedReader file = new BufferedReader(new FileReader(arguments[0]))) {
      rows = new Instances(file);
    }
    rows.setClassIndex(rows.numAttributes() - 1);
    int n = Integer.parseInt(arguments[1]);
    Instances training = new Instances(rows, 0, n);
    Instances questions = new Instances(rows, n, rows.numInstances() - n);
    String[] options = Arrays.copyOfRange(arguments, 3, arguments.length);
    Classifier model = null;
    double[][] answers = new double[questions.numInstances()][];
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = commands.readLine()) != null; ) {
      switch (line) {
        case "fit":
          model = (Classifier) Utils.forName(Classifier.class, arguments[2], options.clone());
          model.buildClassifier(training);
          System.out.println("done");
          break;
        case "predict":
          for (int i = 0; i < answers.length; i++) {
            answers[i] = model.distributionForInstance(questions.instance(i));
          }
          System.out.println("done");
          break;
        case "probabilities":
          StringBuilder lines = new StringBuilder();
          for (double[] answer : answers) {
            for (double p : answer) {
              lines.append(p).append(' ');
            }
            lines.append('\n');
          }
          System.out.print(lines);
          break;
        case "parents":
          BayesNet network = (BayesNet) model;
          for (int i = 0; i < rows.numAttributes(); i++) {
            for (int j = 0; j < network.getNrOfParents(i); j++) {
              System.out.print(network.getParent(i, j) + " ");
            }
            System.out.println();
          }
          break;
        default:
          throw new IllegalArgumentException(line);
      }
    }
  }
}
